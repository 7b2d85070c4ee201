import type { SurveyModel } from "survey-core";
import type { pageJson } from "../mapping/page-json.ts";

/**
 * The screens of the visited pages, in the order of the survey. A visit of a page (for one item of its loop) has one
 * screen, or one for each of its elements if `byQuestion`.
 */
export function createDrawnScreens(model: SurveyModel, byQuestion: boolean) {
  const ranks = new Map<string, number>();
  const visits = new Map<string, string>();
  const drawnVisits = new Set<string>();

  return {
    isDrawn: (visit: string): boolean => drawnVisits.has(visit),
    visitOf: (screen: string): string => visits.get(screen)!,
    /** Draws a visit. Visits stand in the order of `rank`; the next one's is at least `room` more. */
    draw(visit: string, json: ReturnType<typeof pageJson>, rank: number, room: number): void {
      drawnVisits.add(visit);
      const screens =
        byQuestion && json.elements.length > 0
          ? json.elements.map((element) => ({ ...json, name: element.name, elements: [element] }))
          : [json];
      screens.forEach((screen, index) => {
        visits.set(screen.name, visit);
        ranks.set(screen.name, rank + (index / screens.length) * room);
        const before = model.pages.findIndex(({ name }) => ranks.get(name)! > ranks.get(screen.name)!);
        const drawn = model.createNewPage(screen.name);
        drawn.fromJSON(screen);
        model.addPage(drawn, before < 0 ? model.pages.length : before);
      });
    },
    /** Shows the screens of these visits only. */
    showOnly(reached: ReadonlySet<string>): void {
      for (const page of model.pages) page.visible = reached.has(visits.get(page.name)!);
    },
  };
}
