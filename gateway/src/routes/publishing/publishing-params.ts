import { Type } from "typebox";
import { idParam } from "../schemas.ts";

const surveyId = idParam("id of a survey");

export const surveyParams = Type.Object({ surveyId });
export const backupParams = Type.Object({ surveyId, backupId: idParam("id of a backup of its draft") });
export const versionParams = Type.Object({ surveyId, versionId: idParam("id of one of its versions") });
