/** Prefixes of SurveyJS's class names for parts that the page renders itself or not at all. */
const unused =
  /\.(?:sd-(?:file|paneldynamic|signaturepad|imagemap|tagbox|matrixdynamic|expression|progress|timer|breadcrumbs|brand|completedpage|summary|boolean|body__progress|body__timer)|sv[-_](?:window|header|tagbox|matrixdynamic|progress|save-data|brand|skeleton|boolean|completedpage))(?![a-z])/;

interface Rule {
  selectors: string[];
  remove: () => unknown;
}

/** A PostCSS plugin that removes the rules of these classes. They are a fifth of SurveyJS's style sheet. */
export const leaveOutStyles = {
  postcssPlugin: "leave-out-styles",
  Rule(rule: Rule): void {
    const kept = rule.selectors.filter((selector) => !unused.test(selector));
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  },
};
