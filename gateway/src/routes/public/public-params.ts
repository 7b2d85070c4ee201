import { languageTag } from "@canvass/inputs";
import { Type } from "typebox";
import { idParam } from "../schemas.ts";

const code = Type.String({ description: "the link's: the end of its address `/s/{code}`" });

export const linkParams = Type.Object({ code });
export const linkRespondentParams = Type.Object({ code, respondentId: idParam("`respondentId` of the start") });

/** Texts that have no translation come in the survey's language. */
export const languageQuery = Type.Object(
  {
    language: Type.Optional({ ...languageTag, description: "of the texts, where the survey has them (contract 6.17)" }),
  },
  { additionalProperties: false },
);

export const seenDescription = "when the respondent's last stored request came; null with full anonymity";

export const publicErrors = ["distributor_not_found", "service_unavailable", "deadline_exceeded"] as const;
