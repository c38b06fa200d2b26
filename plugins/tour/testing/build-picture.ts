import sharp from 'sharp';

interface PictureTags {
  readonly DateTimeOriginal?: string;
  readonly OffsetTimeOriginal?: string;
}

/**
 * Builds a small JPEG of a sphere, 1,024 pixels wide, with EXIF tags and attributes in the namespace GPano, such as
 * `PosePitchDegrees="2"`. With `hasPosition`, its GPS position is in Oslo.
 */
export async function buildPicture(
  exif: PictureTags,
  gpano = '',
  hasPosition = false,
  background = 'green',
): Promise<Uint8Array<ArrayBuffer>> {
  const attributes = gpano.replaceAll(/(\w+)=/g, 'GPano:$1=');
  const bytes = await sharp({ create: { width: 1024, height: 512, channels: 3, background } })
    .withExif({
      IFD2: { ...exif },
      ...(hasPosition && {
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '59/1 54/1 30/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '10/1 45/1 0/1',
        },
      }),
    })
    .withXmp(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
        '<rdf:Description rdf:about="" xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" ' +
        `${attributes}/></rdf:RDF></x:xmpmeta>`,
    )
    .jpeg()
    .toBuffer();
  return new Uint8Array(bytes);
}
