import { Type } from "typebox";
import { idParam } from "../schemas.ts";

export const surveyParams = Type.Object({ surveyId: idParam("id of a survey") });

export const respondentParams = Type.Object({
  surveyId: idParam("id of a survey"),
  respondentId: idParam("id of a respondent"),
});
