import { cursorQuery } from "../pages.ts";

/** The query of `GET /surveys/{id}/versions`. */
export const versionsQuery = cursorQuery({});
