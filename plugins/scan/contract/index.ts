/** The tour module's id, by which it is known as the author of a view. */
export const scanModule = 'scan.module';
