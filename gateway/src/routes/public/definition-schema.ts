import { publicDefinitionSchema } from "@canvass/questions";

export const definitionSchema = { ...publicDefinitionSchema, title: "PublicDefinition" };
