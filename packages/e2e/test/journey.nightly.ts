import { expectNoBlockedLoops } from "./loop-blocks.ts";
import { demo } from "./journey/journey-system.ts";
import { wholeJourney } from "./journey/whole-journey.ts";

wholeJourney();
expectNoBlockedLoops(() => demo.system);
