/** A tool of `/mcp`. It calls one operation of the API, from which it has its schemas, scope and limits. */
export interface Tool {
  name: string;
  operationId: string;
  title: string;
  description: string;
  /** Whether a call reads, adds or changes data. */
  effect: "reads" | "adds" | "changes";
  /** The list inside the data, which a call shows in parts. Data that is a list needs none. */
  list?: string;
}

/** In the order in which clients show them. */
export const tools: readonly Tool[] = [
  {
    name: "list_surveys",
    operationId: "listSurveys",
    title: "Find surveys",
    description: "Lists the workspace's surveys, newest first. `q` searches by part of the name.",
    effect: "reads",
  },
  {
    name: "get_survey",
    operationId: "getSurvey",
    title: "Read a survey",
    description: "Reads a survey with its settings. The `etag` of the result is the `ifMatch` of publish_survey.",
    effect: "reads",
  },
  {
    name: "list_questions",
    operationId: "listElements",
    title: "Read a survey's questions",
    description: "Lists the questions of the draft in their order; with `include: content` also choices and settings.",
    effect: "reads",
  },
  {
    name: "create_survey",
    operationId: "createSurvey",
    title: "Create a survey",
    description:
      "Creates a draft with the given questions, all or nothing. Respondents cannot see it before publish_survey.",
    effect: "adds",
  },
  {
    name: "import_survey",
    operationId: "importSurvey",
    title: "Create a survey from a document",
    description:
      "Creates a draft with pages, questions, logic and settings from one document, all or nothing. Respondents cannot see it before " +
      "publish_survey.",
    effect: "adds",
  },
  {
    name: "validate_draft",
    operationId: "validateDraft",
    title: "Check a draft",
    description: "Lists all reasons why a survey's draft cannot be published. Changes nothing.",
    effect: "reads",
    list: "issues",
  },
  {
    name: "plan_publication",
    operationId: "listChanges",
    title: "Plan a publication",
    description:
      "Lists what publishing would change, with the answers that each change affects. Changes nothing. Show changes of " +
      "the class `results_affecting` to the person you work for before you acknowledge them.",
    effect: "reads",
    list: "changes",
  },
  {
    name: "publish_survey",
    operationId: "publishSurvey",
    title: "Publish a survey",
    description:
      "Publishes the draft: from now on, new respondents get it. Takes the `etag` of get_survey as `ifMatch`. " +
      "`acknowledge` names the changes of plan_publication that a person has accepted.",
    effect: "changes",
  },
  {
    name: "list_links",
    operationId: "listDistributors",
    title: "List a survey's links",
    description: "Lists the links and other distributors of a survey, with their state and counts.",
    effect: "reads",
  },
  {
    name: "create_link",
    operationId: "createDistributor",
    title: "Create a link",
    description: "Creates a link to a survey. It is a draft, which nobody can use before activate_link.",
    effect: "adds",
  },
  {
    name: "activate_link",
    operationId: "activateDistributor",
    title: "Activate a link",
    description: "Activates a draft link. From then on, everybody who knows its URL can answer.",
    effect: "changes",
  },
  {
    name: "get_results",
    operationId: "getAggregation",
    title: "Read a survey's results",
    description:
      "Reads the aggregated results of a survey: figures of each question, completions of each day. Filters select whose " +
      "answers count, for example `where` with a condition as JSON.",
    effect: "reads",
    list: "questionStats",
  },
  {
    name: "count_crosstab",
    operationId: "countCrosstab",
    title: "Cross two questions",
    description:
      "Counts answers by one or two variables, with percentages and chi-square, optionally weighted. Changes nothing.",
    effect: "reads",
    list: "rows",
  },
  {
    name: "compute_series",
    operationId: "computeSeries",
    title: "Follow a figure over time",
    description: "Computes NPS, a mean or a share by day, week or month. Changes nothing.",
    effect: "reads",
    list: "points",
  },
  {
    name: "search_answers",
    operationId: "listAnswers",
    title: "Search answers",
    description: "Lists single answers to a survey, by question, respondent and time.",
    effect: "reads",
  },
  {
    name: "get_respondent",
    operationId: "getRespondent",
    title: "Read one respondent",
    description: "Reads one respondent of a survey; with `include: answers` also the answers.",
    effect: "reads",
    list: "answers",
  },
  {
    name: "read_events",
    operationId: "listEvents",
    title: "Read the event feed",
    description: "Reads the workspace's events, oldest first.",
    effect: "reads",
  },
  {
    name: "explain_event",
    operationId: "explainEvent",
    title: "Explain an event",
    description:
      "Explains for each subscription why an event was or was not delivered, with its deliveries and attempts.",
    effect: "reads",
    list: "subscriptions",
  },
  {
    name: "list_webhooks",
    operationId: "listSubscriptions",
    title: "List webhooks",
    description: "Lists the workspace's webhooks and feed subscriptions, with their state.",
    effect: "reads",
  },
  {
    name: "list_deliveries",
    operationId: "listDeliveries",
    title: "List a webhook's deliveries",
    description: "Lists a webhook's deliveries, newest first, with their attempts.",
    effect: "reads",
  },
];
