export const mesaVendorFile: string;
export const hasMesa: boolean;
