import { Type } from "typebox";
import { dateTime, named } from "../schemas.ts";

export const downloadSchema = named("Download", {
  url: Type.String({
    format: "uri",
    description: "works without a token; hand it to nobody who may not read the answers",
  }),
  expires_at: { ...dateTime, description: "until then a download may begin" },
});
