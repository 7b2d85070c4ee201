import { Type } from "typebox";
import { contactStatuses } from "../bodies/contact.ts";
import { sought, visibleText, word } from "../fields.ts";
import { cursorQuery, timeParam } from "../pages.ts";

export const contactsQuery = cursorQuery({
  status: Type.Optional(word(contactStatuses)),
  email: Type.Optional(sought(254, "the e-mail address, in any case")),
  externalId: Type.Optional(sought(200, "your id of the person")),
  q: Type.Optional(
    visibleText(200, { description: "start of the e-mail address, the name or the last name, ignoring case" }),
  ),
  from: timeParam("created at this time or later"),
  to: timeParam("created before this time"),
});

export const contactActivityQuery = cursorQuery({});
