const asks = ["warn me", "notify me", "alert me", "remind me", "inform me", "ping me", "tell me", "let me know"];
const stops = [
  ...["stops", "stop", "goes down", "shuts down", "goes off", "is stopped", "gets stopped", "is shut down", "is down"],
  ...["will stop", "is about to stop", "is going to stop", "will be stopped"],
];

/** "warn me 1h before staging stops", "tell me when staging is about to stop". */
export const warnPhrases: readonly string[] = [
  "warn me about",
  "warn me before",
  "warn me when",
  ...["notify me", "alert me", "remind me", "inform me"].flatMap((ask) => [`${ask} about`, `${ask} before`]),
  ...["tell me before", "let me know before", "ping me before"],
  // After those above: "remind me about staging 1h before" has its length behind.
  ...asks.flatMap((ask) => [
    ...["before <group>", "<before> before <group>", "when <group>", "if <group>"].flatMap((about) =>
      stops.map((verb) => `${ask} ${about} ${verb}`),
    ),
    `${ask} <before> before <group>`,
  ]),
];

const ends = ["stop warning me", "stop notifying me", "stop reminding me", "stop alerting me", "stop telling me"];
const nots = ["don't warn me", "dont warn me", "do not warn me", "don't notify me", "don't remind me"];

/** "stop warning me when staging stops", "no more warnings about staging". */
export const unwarnPhrases: readonly string[] = [
  ...[...ends, ...nots].flatMap((end) => [
    ...["about", "before"].map((about) => `${end} ${about}`),
    ...["before <group>", "when <group>"].flatMap((about) => stops.map((verb) => `${end} ${about} ${verb}`)),
  ]),
  ...["no more warnings about", "no warnings about", "unwarn me about"],
];
