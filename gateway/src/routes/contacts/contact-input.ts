import { createContactBody, updateContactBody } from "@canvass/inputs";
import { withExamples } from "../schemas.ts";

export const documentedCreateContact = withExamples(createContactBody, {
  person: {
    summary: "A person",
    value: {
      email: "ada@example.org",
      firstName: "Ada",
      lastName: "Lovelace",
      language: "en",
      attributes: { plan: "pro", seats: 3 },
    },
  },
  phone: { summary: "Identified by phone", value: { phone: "+4915112345678", firstName: "Grace" } },
});

export const documentedUpdateContact = withExamples(updateContactBody, {
  attributes: { summary: "Changes the plan attribute", value: { attributes: { plan: "team", seats: null } } },
  status: { summary: "Its mails bounce", value: { status: "bounced" } },
});
