/** Words of every sentence, and of times. By themselves they name nothing, also where a name begins with one: "week" is no "Weekly backup". */
const common: ReadonlySet<string> = new Set([
  ..."a about all alone also am an and any are as at be both but by can could do does down each end ends".split(" "),
  ..."every everything for from go goes had has have he help here how i if in into is it its just keep".split(" "),
  ..."keeps let long me mine more my next no none not nothing now of off on one only or our out over".split(" "),
  ..."please run running runs she should so some something start started starts still stop stopped stops".split(" "),
  ..."than that the their them then there these they thing things this those to too up us was we were".split(" "),
  ..."what when where which who why will with would yes yet you your day days evening fri friday hour".split(" "),
  ..."hours later minute minutes mon monday month months morning night noon sat saturday soon sun sunday".split(" "),
  ..."thu thursday today tomorrow tonight tue tuesday wed wednesday week weekday weekdays weekend".split(" "),
  ..."weekends weeks year yesterday".split(" "),
]);

export function isCommon(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length > 0 && words.every((word) => common.has(word));
}
