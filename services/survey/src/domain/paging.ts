import { type Fault, validationFailed } from "@canvass/inputs";

const MOST = 100;

/** Throws `validation_failed` for a page size outside 1 to 100 or a page before the first (contract 2.8). */
export function requirePaging(paging: { limit: number; page?: number }): void {
  const faults = pagingFaults(paging);
  if (faults.length > 0) throw validationFailed(faults);
}

/** What is wrong with a page size or a page. */
export function pagingFaults({ limit, page = 1 }: { limit: number; page?: number }): Fault[] {
  const faults: Fault[] = [];
  if (limit < 1 || limit > MOST) faults.push({ path: "limit", message: `must be a whole number from 1 to ${MOST}` });
  if (page < 1) faults.push({ path: "page", message: "must be a whole number from 1" });
  return faults;
}
