/** The C library of native Linux packages; undefined on other systems. */
export function libcName(): 'glibc' | 'musl' | undefined {
  if (process.platform !== 'linux') return undefined;
  const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/** The platform of native packages, such as `linux-x64-glibc`, `linux-arm64-musl`, `darwin-arm64` or `win32-x64`. */
export function platformName(): string {
  const libc = libcName();
  return [process.platform, process.arch, ...(libc === undefined ? [] : [libc])].join('-');
}
