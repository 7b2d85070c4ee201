import { Type } from "typebox";
import { contactStatuses } from "../bodies/contact.ts";
import { limitedText, word } from "../fields.ts";
import { cursorQuery, timeParam } from "../pages.ts";

export const contactsQuery = cursorQuery({
  status: Type.Optional(word(contactStatuses)),
  email: Type.Optional(limitedText(254, { description: "the e-mail address, in any case" })),
  externalId: Type.Optional(limitedText(200, { description: "your id of the person" })),
  q: Type.Optional(
    limitedText(200, { description: "how the e-mail address, the name or the last name begins, in any case" }),
  ),
  from: timeParam("created at this time or later"),
  to: timeParam("created before this time"),
});

export const contactActivityQuery = cursorQuery({});
