/** Slack's limits (platform.md §0, §8), each named once. */
export const limits = {
  sectionText: 3000,
  fieldText: 2000,
  fieldsInSection: 10,
  headerText: 150,
  buttonText: 75,
  buttonValue: 2000,
  blocksInMessage: 50,
  /** Slack refuses messages whose blocks hold about 13,200 characters in all; this stays clear of it. */
  messageCharacters: 10_000,
  hint: 2000,
  inputText: 3000,
  selectOptions: 100,
  optionValue: 150,
  privateMetadata: 3000,
  viewTitle: 24,
} as const;
