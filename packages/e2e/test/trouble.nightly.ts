import { expectNoHolds } from "./loop-holds.ts";
import { allTrouble } from "./trouble/all-trouble.ts";
import { demo } from "./trouble/troubled-system.ts";

allTrouble();
expectNoHolds(() => demo.system);
