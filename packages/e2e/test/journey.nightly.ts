import { expectNoHolds } from "./loop-holds.ts";
import { demo } from "./journey/journey-system.ts";
import { wholeJourney } from "./journey/whole-journey.ts";

wholeJourney();
expectNoHolds(() => demo.system);
