import { publicDefinitionSchema } from "@canvass/questions";

/** The version that a respondent answers, as a client draws it. */
export const definitionSchema = { ...publicDefinitionSchema, title: "PublicDefinition" };
