/** Whether two values of JSON are equal. For thousands of them it is many times faster than Node's comparison. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  // What is undefined is not there: JSON has no word for it.
  const values = Object.entries(one).filter(isThere);
  const others = Object.entries(other).filter(isThere);
  if (values.length !== others.length) return false;
  // Mostly both have their fields in the same order.
  return values.every(([name, value], place) => {
    const same = others[place]?.[0] === name ? others[place] : others.find(([otherName]) => otherName === name);
    return same !== undefined && isSameJson(value, same[1]);
  });
}

const isThere = ([, value]: readonly [string, unknown]): boolean => value !== undefined;
