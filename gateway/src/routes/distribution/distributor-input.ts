import { createDistributorBody, distributorSettingsBody, issueLinksBody, updateDistributorBody } from "@canvass/inputs";
import { withExamples } from "../schemas.ts";

/** The distribution service validates the bodies itself, by the same schemas. */
export const documentedCreateDistributor = withExamples(createDistributorBody, {
  link: { summary: "A link for everybody", value: { name: "Newsletter" } },
  singleUse: {
    summary: "Links that work once, until the end of June",
    value: { name: "Vouchers", type: "single_use_link", settings: { closesAt: "2030-06-30T22:00:00Z" } },
  },
  embedded: {
    summary: "Embedded in your own page",
    value: { name: "Help page", type: "embed", settings: { allowedOrigins: ["https://www.example.com"] } },
  },
});

export const documentedUpdateDistributor = withExamples(updateDistributorBody, {
  rename: { summary: "Changes the name", value: { name: "Newsletter in spring" } },
});

export const documentedSettings = withExamples(distributorSettingsBody, {
  limited: {
    summary: "At most 200 respondents, with a password",
    value: { responseLimit: 200, password: "lavender", closedMessage: "Thank you, we have enough answers." },
  },
  defaults: { summary: "Back to the defaults", value: {} },
});

export const documentedIssueLinks = withExamples(issueLinksBody, {
  singleUse: { summary: "Twenty links that work once", value: { count: 20 } },
});
