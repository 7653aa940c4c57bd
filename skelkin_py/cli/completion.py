# SPDX-License-Identifier: MIT
"""Print a script that lets the Tab key complete commands, options and their values."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator, Sequence

from ..motion.plant_options import CONTACT_MODES
from .entry import whole_parser
from .printing import in_lines, say

_FILES = ("CLIP", "FILE", "IN", "OUT", "ORIGINAL", "PAGE", "PATH", "PROGRAM", "GROUND", "MODE|PATH")  # metavars
_VALUES = {  # of options that take these words, and others
    "MODE|PATH": CONTACT_MODES,
    "AXIS": ("auto", "X", "Y", "Z", "-X", "-Y", "-Z"),
    "VIEW": ("corner", "front", "side", "top", "feet"),
    "auto|X,Y,Z": ("auto",),
}

DESCRIPTION = """\
Print a script that lets the Tab key complete commands, options and their values.

  bash:  skelkin completion bash > ~/.local/share/bash-completion/completions/skelkin
  zsh:   skelkin completion zsh > ~/.zsh/_skelkin    (a folder of $fpath)
  fish:  skelkin completion fish > ~/.config/fish/completions/skelkin.fish

For the current shell only, run eval "$(skelkin completion bash)".
"""
USAGE = "SHELL"


def add_arguments(completion: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    completion.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")


def run(options: argparse.Namespace) -> None:
    """Print the script of a shell."""
    say(in_lines({"bash": bash, "zsh": zsh, "fish": fish}[options.shell]()))


def bash() -> Iterator[str]:
    """Yield the lines of a script for bash, whose readline completes the names of files."""
    _, commands = whole_parser()
    yield "# bash completion for skelkin"
    yield "_skelkin() {"
    yield "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word words="
    yield "    # --option=value is three words"
    yield "    if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi"
    yield '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do'
    yield "        [[ $word == -* ]] || { command=$word; break; }"
    yield "    done"
    yield '    case "$command $prev" in'
    for name, command in commands.items():
        for action in command._actions:
            if action.option_strings and (words := _words(action)):
                names = " | ".join(f'"{name} {flag}"' for flag in action.option_strings)
                yield f"        {names}) words={_quoted(words)} ;;"
    yield '        " "*) words=' + _quoted([*commands, "--help", "--version"]) + " ;;"
    for name, command in commands.items():
        flags = [flag for action in command._actions for flag in action.option_strings if flag.startswith("--")]
        arguments = [word for action in command._actions if not action.option_strings for word in _words(action)]
        yield f'        "{name} "*) words={_quoted(arguments)}; [[ $cur == -* ]] && words={_quoted(flags)} ;;'
    yield "    esac"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$cur"))'
    yield "}"
    yield "complete -o default -F _skelkin skelkin"


def zsh() -> Iterator[str]:
    """Yield the lines of a script for zsh, for a folder of ``$fpath`` or for ``eval``."""
    meanings, commands = whole_parser()
    yield "#compdef skelkin"
    yield "_skelkin() {"
    yield "  local curcontext=$curcontext state line"
    yield "  local -a commands=("
    for name, meaning in meanings.items():
        yield f"    {shlex.quote(f'{name}:{meaning}')}"
    yield "  )"
    yield "  _arguments -C '(- *)--version[show the version]' '(- *)'{-h,--help}'[show help]' \\"
    yield "    '1:command:{_describe command commands}' '*::argument:->arguments'"
    yield '  [[ $state == arguments ]] && case "$line[1]" in'
    for name, command in commands.items():
        specs = [spec for action in command._actions for spec in _zsh_specs(action)]
        yield f"    {name})"
        yield f"      _arguments {shlex.join(specs)} ;;"
    yield "  esac"
    yield "}"
    yield 'if [[ $funcstack[1] == _skelkin ]]; then _skelkin "$@"; else compdef _skelkin skelkin; fi'


def fish() -> Iterator[str]:
    """Yield the lines of a script for fish."""
    meanings, commands = whole_parser()
    yield "complete -c skelkin -f"
    yield "complete -c skelkin -n __fish_use_subcommand -l version -d 'show the version'"
    for name, meaning in meanings.items():
        yield f"complete -c skelkin -n __fish_use_subcommand -a {name} -d {_fish_quoted(meaning)}"
    for name, command in commands.items():
        for action in command._actions:
            line = [f"complete -c skelkin -n '__fish_seen_subcommand_from {name}'"]
            for flag in action.option_strings:
                line.append(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}")
            if words := _words(action):
                line.append(f"-a '{' '.join(words)}'")
            if _takes_file(action):
                line.append("-F")
            if action.option_strings:
                line += ["-r"] * (action.nargs != 0) + [f"-d {_fish_quoted(_short(action.help))}"]
            yield " ".join(line)


def _words(action: argparse.Action) -> Sequence[str]:
    """Return the words that an argument or the value of an option may be."""
    return tuple(action.choices or _VALUES.get(str(action.metavar), ()))


def _takes_file(action: argparse.Action) -> bool:
    return action.metavar in _FILES


def _short(meaning: str | None) -> str:
    """Return the first clause of a help text: a line of a menu has no room for more."""
    return re.split(r"; |: | \(", meaning or "")[0].strip()


def _quoted(words: Sequence[str]) -> str:
    return f'"{" ".join(words)}"'


def _fish_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _zsh_specs(action: argparse.Action) -> Iterator[str]:
    """Yield how `_arguments` is given an argument, or an option by each of its names."""
    words, files = " ".join(_words(action)), _takes_file(action)
    values = f"({words})" if words else "_files" if files else " "
    if words and files:
        values = rf" _alternative 'words\:word\:({words})' 'files\:file\:_files'"
    if not action.option_strings:
        yield f"{'*' if action.nargs == '+' else ''}:{action.metavar}:{values}"
        return
    names = (action.metavar,) if isinstance(action.metavar, str) else action.metavar or (action.dest,)
    taken = "".join(f":{name}:{values}" for name in names) if action.nargs != 0 else ""
    again = "*" if action.nargs == "+" or type(action).__name__ == "_AppendAction" else ""
    for flag in action.option_strings:
        equals = "=" if taken and flag.startswith("--") else ""
        yield f"{again}{flag}{equals}[{_short(action.help)}]{taken}"
