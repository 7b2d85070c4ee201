import { expectNoBlockedLoops } from "./loop-blocks.ts";
import { allTrouble } from "./trouble/all-trouble.ts";
import { demo } from "./trouble/troubled-system.ts";

allTrouble();
expectNoBlockedLoops(() => demo.system);
