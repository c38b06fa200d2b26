const mark = '\ue000';

/** JSON text that `JSON.stringify` never produces, such as `1e400` or a thousand nested lists. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Like `JSON.stringify`, but writes each `RawJson` verbatim. */
export function stringifyRaw(value: unknown): string {
  const raws: string[] = [];
  const text =
    JSON.stringify(value, (_name, member: unknown) =>
      member instanceof RawJson ? `${mark}${raws.push(member.text) - 1}${mark}` : member,
    ) ?? 'null';
  return text.replaceAll(new RegExp(`"${mark}(\\d+)${mark}"`, 'g'), (_whole, index: string) => raws[Number(index)]!);
}
