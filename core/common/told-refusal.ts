import type { Refusal } from './validators/refusal.ts';

/**
 * Why the server refused something, for whoever reads it, in whatever language and however much later: a message id of a catalogue that both halves share
 * (`contract/messages/<language>.json`) and the values of its gaps.
 */
export interface ToldRefusal extends Refusal {
  /** Name of the part that it is about, such as one file of several; stands before the words. */
  readonly where?: string;
}

/** The same with its words in English, for logs and for who calls the API. */
export interface SpokenRefusal extends ToldRefusal {
  readonly sentence: string;
}

/**
 * Speaks the refusals of one owner's catalogue: a plugin's, or core's. That each id has words, and the words get their values, `webPluginConforms` tests. The server fills gaps of the kinds
 * `{name}` and `{name, number}`; what else ICU knows is for the browser.
 */
export function refusalsOf<Owner extends string>(_owner: Owner, english: Readonly<Record<string, string>>): (message: `${Owner}.refused.${string}`, values?: Refusal['values']) => SpokenRefusal {
  return (message, values) => {
    const sentence = (english[message] ?? message).replaceAll(/\{(\w+)(?:, number[^}]*)?\}/g, (gap, name: string) => String(values?.[name] ?? gap));
    return { message, ...(values ? { values } : {}), sentence };
  };
}

/** The same refusal, said of one part, such as one file of several. */
export const refusalIn = (where: string, { message, values, sentence }: SpokenRefusal): SpokenRefusal => ({ message, ...(values ? { values } : {}), where, sentence: `“${where}”: ${sentence}` });

/** What is kept and told of it: the browser has the words. */
export const toldOf = ({ message, values, where }: ToldRefusal): ToldRefusal => ({ message, ...(values ? { values } : {}), ...(where === undefined ? {} : { where }) });
