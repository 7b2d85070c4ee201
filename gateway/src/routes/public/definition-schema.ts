import { publicDefinitionSchema } from "@canvass/questions";

/** The version that a respondent answers, in the form that clients render. */
export const definitionSchema = { ...publicDefinitionSchema, title: "PublicDefinition" };
