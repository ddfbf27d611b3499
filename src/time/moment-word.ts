/** Whether a word may stand in a moment. What is in none of these lists is refused, since chrono skips or misreads it. */
export function isMomentWord(word: string): boolean {
  return MOMENT_WORDS.some((pattern) => pattern.test(word));
}

const MOMENT_WORDS = [
  /^\d{1,2}(?::\d{2}){0,2}(?:am|pm|a\.m\.|p\.m\.)?$/i,
  /^(?:am|pm|a\.m\.|p\.m\.|noon|midday|midnight)$/i,
  /^(?:yesterday|today|tonight|tomorrow|tmrw?|next|this|at|on|of)$/i,
  /^(?:mon|tue|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?$|^tuesday$/i,
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i,
  /^[1-9]\d{3}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/i,
  /^(?:[1-9]\d{3}|\d{1,2}(?:st|nd|rd|th))$/i,
];
