import type { Condition } from "@canvass/questions";

/** Whose answers results count. Absent: everybody's. */
export interface ResultFilter {
  isCompleted?: boolean;
  /** By the start: from inclusive, to exclusive. */
  from?: Date;
  to?: Date;
  distributorId?: string;
  /** Values of hidden fields as text, by name. */
  fields?: Readonly<Record<string, string>>;
  versionNumber?: number;
  /** A condition on answers, hidden fields and the language. */
  where?: Condition;
}
