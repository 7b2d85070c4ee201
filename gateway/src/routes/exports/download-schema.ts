import { Type } from "typebox";
import { dateTime, named } from "../schemas.ts";

export const downloadSchema = named("Download", {
  url: Type.String({
    format: "uri",
    description: "works without a token; share it only with people who may read the answers",
  }),
  expires_at: { ...dateTime, description: "a download can start until then" },
});
