import { expectNoBlockedLoops } from "./loop-blocks.ts";
import { demo } from "./journey/journey-system.ts";
import { testWholeJourney } from "./journey/whole-journey.ts";

testWholeJourney();
expectNoBlockedLoops(() => demo.system);
