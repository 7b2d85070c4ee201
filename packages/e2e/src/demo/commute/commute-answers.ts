/** One person's answers about commuting. */
export interface CommuteAnswer {
  ways: string[];
  time: string;
  content: number;
  /** Only the first version asks this. */
  ownsCar?: boolean;
}

export const ways = ["Walking", "Bicycle", "Bus or tram", "Train", "Car"];
/** The choice that the second version adds. */
export const addedWay = "I work at home";
export const times = ["Under 15 minutes", "15 to 30 minutes", "30 to 60 minutes", "Over an hour"];
const [short, half, hour, long] = times as [string, string, string, string];

// Invented data. People in town walk and cycle, people far away take the train, and drivers are less content the longer
// the drive.
export const firstAnswers: CommuteAnswer[] = [
  { ways: ["Walking"], time: short, content: 5, ownsCar: false },
  { ways: ["Bicycle"], time: short, content: 5, ownsCar: false },
  { ways: ["Bicycle"], time: half, content: 4, ownsCar: true },
  { ways: ["Bicycle", "Train"], time: hour, content: 4, ownsCar: false },
  { ways: ["Bus or tram"], time: half, content: 3, ownsCar: false },
  { ways: ["Bus or tram", "Walking"], time: half, content: 4, ownsCar: true },
  { ways: ["Bus or tram", "Train"], time: hour, content: 2, ownsCar: false },
  { ways: ["Train", "Walking"], time: long, content: 2, ownsCar: true },
  { ways: ["Car"], time: short, content: 4, ownsCar: true },
  { ways: ["Car"], time: half, content: 3, ownsCar: true },
  { ways: ["Car"], time: hour, content: 2, ownsCar: true },
  { ways: ["Car", "Train"], time: long, content: 1, ownsCar: true },
];

export const secondAnswers: CommuteAnswer[] = [
  { ways: [addedWay], time: short, content: 5 },
  { ways: [addedWay, "Train"], time: long, content: 4 },
  { ways: [addedWay, "Car"], time: hour, content: 3 },
  { ways: ["Walking"], time: short, content: 4 },
  { ways: ["Bicycle"], time: half, content: 5 },
  { ways: ["Bus or tram"], time: hour, content: 3 },
  { ways: ["Train", "Bicycle"], time: hour, content: 3 },
  { ways: ["Car"], time: half, content: 3 },
];
