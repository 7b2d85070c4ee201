import { validationFailed } from "@canvass/inputs";
import { createAxis, type Axis } from "./axis.ts";
import type { AxisInput } from "./axis-input.ts";
import { rake, type Raked } from "./rake.ts";
import type { TabledRespondents } from "./value-of.ts";

/** A weighting variable, whose axis is closed. */
export interface WeightingInput {
  axis: AxisInput;
  /** By category of the axis its size, relative to the others; null without a target. */
  targets: readonly (number | null)[];
}

export interface Weighting {
  /** Counts respondents in their group, whose values of all weighting variables are the same. Returns its number. */
  addToGroup(respondent: TabledRespondents): number;
  result(): WeightingResult;
}

export interface WeightingResult extends Raked {
  /** By variable: respondents without a value that has a target. */
  withoutTarget: readonly number[];
  /** By variable: the indexes of targets without respondents. */
  unreached: readonly (readonly number[])[];
}

const mostGroups = 1_000;

export function createWeighting(variables: readonly WeightingInput[]): Weighting {
  const axes: Axis[] = variables.map(({ axis }) => createAxis(axis));
  const groups = new Map<string, number>();
  const cells: { categories: (number | null)[]; respondents: number }[] = [];
  return {
    addToGroup(respondent) {
      const categories = axes.map((axis, index) => {
        const places = axis.placesOf(respondent);
        // An older version may have taken several answers, which fit no target.
        const place = places?.length === 1 ? places[0] : undefined;
        return place !== undefined && (variables[index]!.targets[place] ?? null) !== null ? place : null;
      });
      const key = categories.join(" ");
      let group = groups.get(key);
      if (group === undefined) {
        group = cells.length;
        if (group === mostGroups) throw tooManyGroups();
        groups.set(key, group);
        cells.push({ categories, respondents: 0 });
      }
      cells[group]!.respondents += respondent.count;
      return group;
    },
    result() {
      const targets = variables.map((each) => each.targets.map((size) => size ?? 0));
      const sumOf = (isIn: (categories: readonly (number | null)[]) => boolean) =>
        cells.reduce((sum, { categories, respondents }) => (isIn(categories) ? sum + respondents : sum), 0);
      return {
        ...rake(cells, targets),
        withoutTarget: targets.map((_, variable) => sumOf((categories) => categories[variable] === null)),
        unreached: targets.map((sizes, variable) =>
          sizes.flatMap((size, place) =>
            size > 0 && sumOf((categories) => categories[variable] === place) === 0 ? [place] : [],
          ),
        ),
      };
    },
  };
}

const tooManyGroups = () =>
  validationFailed([
    { path: "weights", message: `must make at most ${mostGroups} groups of respondents that are alike` },
  ]);
