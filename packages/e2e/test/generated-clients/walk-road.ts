/** Where a program with a generated client begins. */
export interface RoadStart {
  url: string;
  token: string;
}

/** What it saw on the road: create, publish, link, answer, results, feed. */
export interface RoadEnd {
  style: string | null | undefined;
  mean: number | null;
  names: string[];
  refused: unknown;
  feedId: string;
  surveyId: string;
  /** The surveys of the events in the feed. */
  readEvents: () => Promise<string[]>;
}

export type WalkRoad = (start: RoadStart) => Promise<RoadEnd>;
