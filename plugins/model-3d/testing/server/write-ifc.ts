export interface IfcContent {
  readonly boxes: number;
  /** The entry of the unit of length. It may refer to #901 to #904. Without it, the file states no unit. */
  readonly unit?: string;
  /** The length of each box along x, in the file's unit. */
  readonly length?: number;
  readonly schema?: 'IFC2X3' | 'IFC4';
  readonly georeferenced?: boolean;
  /** Whether the boxes have a type with a property set, and property sets of their own with tags from `V-2100` on. */
  readonly tagged?: boolean;
  /** Omits the first entry of this type. */
  readonly without?: string;
}

/** Writes an IFC file of boxes in one storey. */
export function writeIfc({
  boxes,
  unit,
  length = 1,
  schema = 'IFC2X3',
  georeferenced = false,
  tagged = false,
  without,
}: IfcContent): string {
  const units = unit === undefined ? '#30' : '#30,#31';
  const entries = [
    "#1=IFCPERSON($,$,'p',$,$,$,$,$);",
    "#2=IFCORGANIZATION($,'o',$,$,$);",
    '#3=IFCPERSONANDORGANIZATION(#1,#2,$);',
    "#4=IFCAPPLICATION(#2,'1','a','a');",
    '#5=IFCOWNERHISTORY(#3,#4,$,.ADDED.,$,$,$,0);',
    '#10=IFCCARTESIANPOINT((0.,0.,0.));',
    '#11=IFCDIRECTION((0.,0.,1.));',
    '#12=IFCDIRECTION((1.,0.,0.));',
    '#13=IFCAXIS2PLACEMENT3D(#10,#11,#12);',
    "#14=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#13,$);",
    '#30=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);',
    ...(unit === undefined ? [] : [`#31=${unit};`]),
    `#32=IFCUNITASSIGNMENT((${units}));`,
    '#901=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);',
    '#902=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#903);',
    '#903=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);',
    '#904=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.304800609601219),#903);',
    "#40=IFCPROJECT('0000000000000000000040',#5,'Project',$,$,$,$,(#14),#32);",
    "#41=IFCSITE('0000000000000000000041',#5,'Site',$,$,#50,$,$,.ELEMENT.,$,$,$,$,$);",
    "#42=IFCBUILDING('0000000000000000000042',#5,'Building',$,$,#50,$,$,.ELEMENT.,$,$,$);",
    "#43=IFCBUILDINGSTOREY('0000000000000000000043',#5,'Storey',$,$,#50,$,$,.ELEMENT.,0.);",
    "#44=IFCRELAGGREGATES('0000000000000000000044',#5,$,$,#40,(#41));",
    "#45=IFCRELAGGREGATES('0000000000000000000045',#5,$,$,#41,(#42));",
    "#46=IFCRELAGGREGATES('0000000000000000000046',#5,$,$,#42,(#43));",
    '#50=IFCLOCALPLACEMENT($,#13);',
    ...(georeferenced
      ? [
          "#60=IFCPROJECTEDCRS('EPSG:25832','ETRS89 / UTM zone 32N','ETRS89','DHHN2016','UTM','32',#903);",
          '#61=IFCMAPCONVERSION(#14,#60,458870.5,5438232.25,113.7,1.,0.,1.);',
        ]
      : []),
    ...Array.from({ length: boxes }, (_, index) => buildBoxEntries(100 + 10 * index, index, length)).flat(),
    ...(tagged ? buildPropertyEntries(boxes) : []),
  ];
  const omittedIndex = without === undefined ? -1 : entries.findIndex((entry) => entry.includes(`=${without}(`));
  return [
    'ISO-10303-21;',
    'HEADER;',
    "FILE_DESCRIPTION(('a #7 in a text, and it''s quote'),'2;1');",
    "FILE_NAME('boxes.ifc','2026-01-01T00:00:00',(''),(''),'','','');",
    `FILE_SCHEMA(('${schema}'));`,
    'ENDSEC;',
    'DATA;',
    ...entries.filter((_, index) => index !== omittedIndex),
    'ENDSEC;',
    'END-ISO-10303-21;',
    '',
  ].join('\n');
}

/** The entries of an element of `length` x 2 x 3. */
function buildBoxEntries(id: number, index: number, length: number): readonly string[] {
  const formatReal = (value: number): string => (Number.isInteger(value) ? `${value}.` : String(value));
  return [
    `#${id}=IFCCARTESIANPOINT((${formatReal(length / 2)},${formatReal(5 * index)}));`,
    `#${id + 1}=IFCAXIS2PLACEMENT2D(#${id},$);`,
    `#${id + 2}=IFCRECTANGLEPROFILEDEF(.AREA.,$,#${id + 1},${formatReal(length)},2.);`,
    `#${id + 3}=IFCEXTRUDEDAREASOLID(#${id + 2},#13,#11,3.);`,
    `#${id + 4}=IFCSHAPEREPRESENTATION(#14,'Body','SweptSolid',(#${id + 3}));`,
    `#${id + 5}=IFCPRODUCTDEFINITIONSHAPE($,$,(#${id + 4}));`,
    `#${id + 6}=IFCBUILDINGELEMENTPROXY('00000000000000000001${id}',#5,'Box ${index}',$,$,#50,#${id + 5},$,$);`,
    `#${id + 7}=IFCRELCONTAINEDINSPATIALSTRUCTURE('00000000000000000002${id}',#5,$,$,(#${id + 6}),#43);`,
  ];
}

/** A type of all elements, and a property set of each element. */
function buildPropertyEntries(boxes: number): readonly string[] {
  const elements = Array.from({ length: boxes }, (_, index) => 100 + 10 * index + 6);
  const toGuid = (id: number): string => `0000000000000000${String(id).padStart(6, '0')}`;
  return [
    "#5000=IFCPROPERTYSINGLEVALUE('Tag',$,IFCLABEL('of the type'),$);",
    "#5001=IFCPROPERTYSINGLEVALUE('Maker',$,IFCLABEL('Acme'),$);",
    `#5002=IFCPROPERTYSET('${toGuid(5002)}',#5,'Pset_Plant',$,(#5000,#5001));`,
    `#5003=IFCBUILDINGELEMENTPROXYTYPE('${toGuid(5003)}',#5,'Vessel',$,$,(#5002),$,$,$,.NOTDEFINED.);`,
    `#5004=IFCRELDEFINESBYTYPE('${toGuid(5004)}',#5,$,$,(${elements.map((id) => `#${id}`).join(',')}),#5003);`,
    ...elements.flatMap((element, index) => {
      const id = 5010 + 3 * index;
      return [
        `#${id}=IFCPROPERTYSINGLEVALUE('Tag',$,IFCLABEL('V-${2100 + index}'),$);`,
        `#${id + 1}=IFCPROPERTYSET('${toGuid(id + 1)}',#5,'Pset_Plant',$,(#${id}));`,
        `#${id + 2}=IFCRELDEFINESBYPROPERTIES('${toGuid(id + 2)}',#5,$,$,(#${element}),#${id + 1});`,
      ];
    }),
  ];
}
