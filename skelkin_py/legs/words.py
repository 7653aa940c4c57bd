# SPDX-License-Identifier: MIT
"""What the names of leg bones say: the words of many rigs as data, and the reading of one name.

A word may stand for several places: "leg" is the thigh in one rig and the shin in the next, "hip" the thigh's joint
or the pelvis, "foot" the ankle or the toes. The table gives each place a cost; `skelkin_py.legs` decides by the place
in the chain.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from .._support.nearest_name import common_beginning

# Places along a leg, from the trunk to the ground.
ABOVE, THIGH, SHIN, ANKLE, TOE = range(5)
HEEL = 5


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PLACES: dict[str, dict[int, float]] = {
    # word: {place: cost}
    "thigh upperleg upleg femur legthigh legupper legup thighbone uleg upperlimb": {THIGH: 0.0},
    "shin calf lowerleg loleg lowleg tibia knee crus legcalf legshin legknee leglower leglow lleg kneejoint shank": {
        SHIN: 0.0
    },
    "ankle hindfoot legankle talus tarsus legfoot forefoot frontfoot rearfoot backfoot": {ANKLE: 0.0},
    "toe toes toebase ball bigtoe toebig legdigit legtoe hoof paw tsumasaki toesaki rtoe ftoe rhoof fhoof": {TOE: 0.0},
    "footindex": {TOE: 0.0},
    "meta metas": {TOE: 0.15},
    "toetip football footend foottip digit phalanx pretarsus": {TOE: 0.1},
    "metatarsal metatarsals midfoot": {ANKLE: 0.05, TOE: 0.2},
    "leg": {THIGH: 0.0, SHIN: 0.0, ABOVE: 0.1},
    "hip": {THIGH: 0.0, ABOVE: 0.05},
    "foot feet": {ANKLE: 0.0, TOE: 0.1},
    "pelvis hips waist buttock glute torso cog": {ABOVE: 0.0},
    "heel calcaneus calc": {HEEL: 0.0},
    # Japanese: characters, and in Latin letters
    "足": {THIGH: 0.0, ANKLE: 0.05},
    "もも 太もも ふともも 太腿 大腿 腿 momo futomomo asia": {THIGH: 0.0},
    "ひざ 膝 すね 脛 sune hiza asib asic": {SHIN: 0.0},
    "足首 あしくび くるぶし asikubi ashikubi asid": {ANKLE: 0.0},
    "つま先 つまさき 爪先 足先 足指 tumasaki asie": {TOE: 0.0},
    "かかと 踵 kakato": {HEEL: 0.0},
    "あし asi ashi": {ANKLE: 0.0, THIGH: 0.1, TOE: 0.2},
    # Chinese, Korean
    "大腿骨": {THIGH: 0.0},
    "小腿 膝盖 膝蓋": {SHIN: 0.0},
    "脚踝 脚腕 腳踝 脚 腳": {ANKLE: 0.0},
    "脚趾 脚尖 腳趾 腳尖": {TOE: 0.0},
    "脚跟": {HEEL: 0.0},
    "허벅지 넓적다리": {THIGH: 0.0},
    "종아리 정강이 무릎": {SHIN: 0.0},
    "발목 발": {ANKLE: 0.0},
    "발가락 발끝": {TOE: 0.0},
    # Russian, German, French, Spanish, Portuguese, Italian
    "бедро": {THIGH: 0.0, ABOVE: 0.1},
    "голень колено": {SHIN: 0.0},
    "стопа лодыжка": {ANKLE: 0.0},
    "носок палец пальцы": {TOE: 0.0},
    "oberschenkel cuisse muslo coscia": {THIGH: 0.0},
    "coxa": {THIGH: 0.0, ABOVE: 0.05},
    "trochanter": {ABOVE: 0.0, THIGH: 0.1},
    "unterschenkel knie genou rodilla joelho ginocchio mollet pantorrilla": {SHIN: 0.0},
    "jambe pierna perna gamba bein": {THIGH: 0.0, SHIN: 0.0},
    "fuß fuss pied pie pé pe piede cheville tobillo tornozelo caviglia knöchel": {ANKLE: 0.0},
    "zeh zehen zehe orteil orteils dedo dedos dita": {TOE: 0.0},
    "ferse talon talón calcanhar tallone": {HEEL: 0.0},
}
PLACES = {word: places for words, places in _PLACES.items() for word in words.split()}

# Limbs of animals that stand on their hands; they count where the limb ends in a foot.
_ARM_PLACES: dict[str, dict[int, float]] = {
    "upperarm uparm humerus arm": {THIGH: 0.3},
    "forearm lowerarm loarm elbow radius": {SHIN: 0.3},
    "hand wrist carpus": {ANKLE: 0.3},
    "shoulder clavicle scapula collar": {ABOVE: 0.0},
}
ARM_PLACES = {word: places for words, places in _ARM_PLACES.items() for word in words.split()}
FEET_WORDS = frozenset(["forefoot", "frontfoot", "ftoe", "fhoof", "hoof", "paw", "toe", "toes", "foot"])

# What bears the femur of insects: a joint of its own, also where it lies in line with the femur.
BEARS_THE_FEMUR = frozenset(["coxa", "trochanter"])

# Controls of a rig that carry legs and trunk together.
MOVES_THE_BODY = frozenset(["torso", "hips", "pelvis", "cog"])

_LEFT = _words(
    "l left lt lf lft 左 links gauche izquierda izquierdo izq esquerda esquerdo esq sinistra sinistro sx 왼쪽 левая"
    " левый"
)
_RIGHT = _words(
    "r right rt rg rgt 右 rechts droite droit derecha derecho der dcha direita direito dir destra destro dx"
    " 오른쪽 правая правый"
)
_SIDES = {**dict.fromkeys(_LEFT, "left"), **dict.fromkeys(_RIGHT, "right")}
_GLUED_SIDES = (("left", "left"), ("right", "right"), ("l", "left"), ("r", "right"))
# Letters that are sides beside words of one language only: D is right in all four, and deforms in MMD.
_SIDE_LETTERS = {
    "g": ("left", _words("cuisse jambe genou mollet cheville pied orteil orteils talon ferse")),
    "i": ("left", _words("muslo pierna rodilla pantorrilla tobillo pie dedo dedos talon talón")),
    "e": ("left", _words("coxa perna joelho tornozelo pé pe dedo dedos calcanhar")),
    "s": ("left", _words("coscia gamba ginocchio caviglia piede dita tallone")),
}
_SIDE_LETTERS["d"] = ("right", frozenset().union(*(words for _, words in _SIDE_LETTERS.values())))

# Controls, goals and mechanism: never part of a leg that is keyed.
_NOT_LEGS = _words(
    "ik pole target roll mch vis wgt tweak ctrl control controller goal hint aim helper share sharebone socket"
    " corrective spin parent master properties orient switch leash cancel nub physics cloth skirt muscle volume"
)
_POLES = frozenset(["pole", "hint"])
_TWISTS = frozenset(["twist", "捩", "捩り", "twst", "rollbone"])
_NOISE = _words(
    "joint jnt jt bone bn bind skin def org fk mixamorig bip base bend end tip j cc rig ex d cat character skeleton"
    " stretch study"
)
_REAR_OR_RIGHT = frozenset(["rtoe", "rhoof"])  # the rear toe of r_toe.L; without a side the right one, RTOE
_LIMBS = frozenset(["front", "fore", "hind", "rear", "back", "mid", "middle"])
_VARIANTS = {"fk": 0, "org": 2, "def": 3, "d": 4}
_MECHANISM = frozenset(["org", "mch", "def"])
PLAIN_VARIANT = 1  # bones without a rig's mark come after its controls and before its mechanism

_IN_BRACKETS = re.compile(r"\[[^\]]*\]")  # a short form behind the name, as in "NPC L Thigh [LThg]"
_TO_HIRAGANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}  # katakana: another script for the same words
_SPLIT = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[左右]|[^\W\d_A-Za-z左右]+")


class BoneName(NamedTuple):
    """What a name says.

    Attributes
    ----------
    side : str or None
        "left", "right" or None.
    word : str
        The word that was known, "" if none.
    places : dict
        Cost of each place the word may stand for.
    limb : str
        "front", "hind" … where the name distinguishes pairs of legs, else "".
    twist : bool
        Whether the bone carries a part of its limb's twist.
    ignored : bool
        Whether the bone is a control, a goal or mechanism.
    variant : int
        Which of several copies of a leg in one rig this is; the lowest is to be keyed.
    mechanism : bool
        Whether the bone is one that a rig's controls move (`MCH-`, `ORG-`, `DEF-` …).
    """

    side: str | None
    word: str
    places: dict[int, float]
    limb: str
    twist: bool
    ignored: bool
    variant: int
    mechanism: bool = False


def _known(tokens: list[str]) -> str:
    """Return the longest run of tokens at the end that is a known word, glued together."""
    for count in range(min(3, len(tokens)), 0, -1):
        word = "".join(tokens[-count:])
        if word in PLACES or word in ARM_PLACES:
            return word
    return ""


def _unglue(tokens: list[str]) -> tuple[str | None, str]:
    """Take a side off a token such as ``lfemur`` or ``footl``; return side and word."""
    for token in reversed(tokens):
        for mark, side in _GLUED_SIDES:
            for rest in (token.removeprefix(mark), token.removesuffix(mark)):
                if rest != token and (rest in PLACES or rest.removesuffix("joint") in PLACES):
                    return side, rest if rest in PLACES else rest.removesuffix("joint")
    return None, ""


def _side_letter(words: list[str]) -> tuple[str | None, list[str]]:
    """Take a letter off that is a side in the language of the word beside it; return side and the other words."""
    for place in (len(words) - 1, 0):
        rest = words[:place] + words[place + 1 :]
        side, language = _SIDE_LETTERS.get(words[place] if words else "", (None, ()))
        if _known(rest) in language:
            return side, rest
    return None, words


@lru_cache(maxsize=4096)  # clips of one set have the same joints
def read_name(name: str) -> BoneName:
    """Read one bone name.

    Parameters
    ----------
    name : str
        A name from any rig; namespaces, prefixes, full-width letters and numbers are seen through.

    Returns
    -------
    BoneName
        Side, word and the places it may stand for.

    Examples
    --------
    >>> read_name("mixamorig7:LeftUpLeg")[:2], read_name("左足首")[:2], read_name("lfemur")[:2]
    (('left', 'upleg'), ('left', '足首'), ('left', 'femur'))
    >>> read_name("左ヒザ")[:2], read_name("NPC R Calf [RClf]")[:2]
    (('left', 'ひざ'), ('right', 'calf'))
    >>> read_name("cuisse.G")[:2], read_name("Pé.E")[:2], read_name("左足D")[:2]
    (('left', 'cuisse'), ('left', 'pé'), ('left', '足'))
    >>> read_name("左足ＩＫ").ignored
    True
    """
    plain = unicodedata.normalize("NFKC", name).translate(_TO_HIRAGANA)
    plain = _IN_BRACKETS.sub(" ", plain).strip() or plain
    plain = re.split(r"[:|]", plain)[-1] or plain
    plain = re.sub("(?i)twist", "_twist_", plain)
    tokens = [token.lower() for token in _SPLIT.findall(plain)]
    words = [token for token in tokens if not token.isdigit()]
    sides = [(index, _SIDES[token]) for index, token in enumerate(words) if token in _SIDES]
    side = None
    if sides:
        # In r_toe.L the first letter means "rear": the last one is the side.
        place, side = sides[-1]
        words = words[:place] + words[place + 1 :]
    else:
        side, words = _side_letter(words)
    ignored = any(token in _NOT_LEGS for token in words)
    twist = any(token in _TWISTS for token in words)
    marks = [_VARIANTS[token] for token in words if token in _VARIANTS]
    limb = next((token for token in words if token in _LIMBS), "")
    core = [token for token in words if token not in _TWISTS]
    telling = [token for token in core if token not in _NOISE]
    word = _known(core) or _known(telling) or _known([token for token in telling if token not in _LIMBS])
    if side is None and (not word or word in _REAR_OR_RIGHT):
        side, word = _unglue(telling)
    if word in ("forefoot", "frontfoot", "ftoe", "fhoof"):
        limb = limb or "front"
    places = PLACES.get(word) or ARM_PLACES.get(word) or {}
    variant = max(marks, default=PLAIN_VARIANT) if 0 not in marks else 0
    mechanism = bool(_MECHANISM & set(words))
    return BoneName(side, word, places, limb, twist, ignored, variant, mechanism)


def is_ik_goal(name: str) -> bool:
    """Tell whether a name says that a bone is the goal of an IK control, and not its pole.

    Examples
    --------
    >>> is_ik_goal("IKBackLeg.L"), is_ik_goal("foot_ik.L"), is_ik_goal("IK_Pole.L"), is_ik_goal("foot.L")
    (True, True, False, False)
    """
    tokens = {token.lower() for token in _SPLIT.findall(name)}
    return "ik" in tokens and not tokens & _POLES


def without_roles(name: str) -> str:
    """Return a name without the words that exclude it from a leg, such as those of controls.

    Examples
    --------
    >>> without_roles("foot_ik.L")
    'foot_L'
    """
    return "_".join(token for token in _SPLIT.findall(name) if token.lower() not in _NOT_LEGS)


def shared_ending(names: Sequence[str]) -> str:
    """Return the ending, after a separator, that all names of a skeleton share.

    Parameters
    ----------
    names : sequence of str
        The names of its joints.

    Returns
    -------
    str
        The ending with its separator; "" where there is none, or where it may be a side or a place.

    Examples
    --------
    >>> shared_ending(["LeftLeg_geo", "RightFoot_geo"]), shared_ending(["thigh.L", "shin.L"])
    ('_geo', '')
    """
    common = common_beginning([name[::-1] for name in names])[::-1]
    place = re.search(r"[_\-. ]", common)
    ending = common[place.start() :] if place else ""
    name = read_name(ending)
    return "" if name.side or name.word or name.ignored or name.twist else ending
