import { Type } from "typebox";
import { closed, reference, word } from "../fields.ts";
import { cursorQuery, timeParam } from "../pages.ts";

export const respondentStatuses = ["started", "completed", "screened_out"] as const;

const include = Type.Optional(word(["answers"], { description: "answers: each with all its answers" }));

export const respondentsQuery = cursorQuery({
  status: Type.Optional(word(respondentStatuses)),
  completed: Type.Optional(Type.Boolean({ description: "whether they have completed, as `status` says" })),
  from: timeParam("started at this time or later"),
  to: timeParam("started before this time"),
  distributorId: Type.Optional(reference("a distributor", "who came by this distributor")),
  contactId: Type.Optional(reference("a contact", "who are this contact")),
  include,
});

export const respondentQuery = closed({ include });
