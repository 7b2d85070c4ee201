import { Type } from "typebox";
import { closed, reference, word } from "../fields.ts";
import { cursorQuery, timeParam } from "../pages.ts";

export const respondentStatuses = ["started", "completed", "screened_out"] as const;

const include = Type.Optional(word(["answers"], { description: "answers: return all answers of each" }));

const ofRespondents = cursorQuery({
  status: Type.Optional(word(respondentStatuses)),
  completed: Type.Optional(Type.Boolean({ description: "whether the respondents have completed, as in `status`" })),
  from: timeParam("started at this time or later"),
  to: timeParam("started before this time"),
  distributorId: Type.Optional(reference("a distributor", "who came by this distributor")),
  contactId: Type.Optional(reference("a contact", "who are this contact")),
  include,
});

/** Prefix of the parameter that filters by a hidden field: `field.<name>`. */
export const fieldPrefix = "field.";

/** The value of such a parameter: the value of the field as text. */
export const fieldFilter = Type.String({ maxLength: 1_000, "x-expected": "text of at most 1000 characters" });

export const mostFieldFilters = 10;

export const fieldFilters = { patternProperties: { "^field\\.[A-Za-z][A-Za-z0-9_]{0,63}$": fieldFilter } };

/** `field.<name>` filters by a hidden field. */
export const respondentsQuery: typeof ofRespondents = { ...ofRespondents, ...fieldFilters };

export const respondentQuery = closed({ include });
