// Scores the results of a search. Pages of tutorials and guides come before others of the same score. Members and
// parameters of the API come last, and its other names before all pages only if they match exactly.
var Scorer = {
    score([page, title, , description, score]) {
        if (description) return title.includes('.') ? -1 : score;
        return Math.min(score, 30) * (/^(tutorials|guides)\//.test(page) ? 2.5 : 1);
    },
    objNameMatch: 80,
    objPartialMatch: 0,
    objPrio: {},
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
};
