import { cursorQuery } from "../pages.ts";

export const versionsQuery = cursorQuery({});
