type Phrase = string | { readonly phrase: string; readonly sets: Readonly<Record<string, string>> };

/** How people ask for an exclusion. */
export const exclusionPhrases: readonly Phrase[] = [
  "exclude",
  "keep <resourceIds> up",
  "keep <resourceIds> running",
  // Before “on”: “keep staging off on friday”.
  { phrase: "keep <resourceIds> off", sets: { process: "start" } },
  "keep <resourceIds> on",
  "keep <resourceIds> alive",
  "leave <resourceIds> running",
  "don't stop <resourceIds>",
  "dont stop <resourceIds>",
  "do not stop <resourceIds>",
  "exclude <resourceIds> from stopping",
  "exclude <resourceIds> from stop",
  { phrase: "exclude <resourceIds> from starting", sets: { process: "start" } },
  { phrase: "exclude <resourceIds> from start", sets: { process: "start" } },
  { phrase: "exclude <resourceIds> from start and stop", sets: { process: "both" } },
  { phrase: "exclude <resourceIds> from starting and stopping", sets: { process: "both" } },
  { phrase: "don't start <resourceIds>", sets: { process: "start" } },
  { phrase: "do not start <resourceIds>", sets: { process: "start" } },
  { phrase: "leave <resourceIds> alone", sets: { process: "both" } },
];

/** The same several times: "keep staging up every thu 18:00-22:00". */
export const repeatPhrases: readonly Phrase[] = [...exclusionPhrases, "exclusion repeat"].flatMap((each) => {
  const { phrase, sets } = typeof each === "string" ? { phrase: each, sets: {} } : each;
  const whole = phrase.includes("<resourceIds>") ? phrase : `${phrase} <resourceIds>`;
  return ["every", "each"].map((word) => ({ phrase: `${whole} ${word} <every>`, sets }));
});
