const mark = '\ue000';

/** JSON that `JSON.stringify` never writes, such as `1e400` or a list of a thousand levels. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** As `JSON.stringify`, with each `RawJson` as it stands. */
export function stringifyRaw(value: unknown): string {
  const raws: string[] = [];
  const text =
    JSON.stringify(value, (_name, member: unknown) =>
      member instanceof RawJson ? `${mark}${raws.push(member.text) - 1}${mark}` : member,
    ) ?? 'null';
  return text.replaceAll(new RegExp(`"${mark}(\\d+)${mark}"`, 'g'), (_whole, index: string) => raws[Number(index)]!);
}
