/** Set on the page while a tool strip stands in it: how much room it takes, with the gap below it. */
export const toolStripRoom = '--tool-strip-room';

/** Distance of a note from the top of a viewer: below the tool strip if there is one. */
export const belowToolStrip = `calc(56px + var(${toolStripRoom}, 0px))`;
