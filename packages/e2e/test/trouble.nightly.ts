import { expectNoBlockedLoops } from "./loop-blocks.ts";
import { testAllTrouble } from "./trouble/all-trouble.ts";
import { demo } from "./trouble/troubled-system.ts";

testAllTrouble();
expectNoBlockedLoops(() => demo.system);
