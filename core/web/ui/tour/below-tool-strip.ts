/** Set on the page while a tool strip stands in it: how much room it takes, with the gap below it. */
export const toolStripRoom = '--tool-strip-room';

/** How far from the top of a tour a note stands: below the tool bar's strip where there is one. */
export const belowToolStrip = `calc(56px + var(${toolStripRoom}, 0px))`;
