/* SPDX-License-Identifier: MIT */
/* Ranks what the search finds: guides, then the other pages, then the references, and records last. */
var Scorer = {
  score: ([page, , , , score]) => {
    if (/^(benchmarks\/|CHANGELOG|CONTRIBUTING|README|THIRD_PARTY)/.test(page)) return score - 100;
    if (/^docs\/(architecture|blender-parity|mutation|performance|planting-|platforms|status|windows)/.test(page))
      return score - 100;
    if (/^docs\/reference\//.test(page)) return score;
    return score + (/^(docs\/(guides|start)|examples)\//.test(page) ? 12 : 10);
  },
  /* What Sphinx gives on its own. */
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
