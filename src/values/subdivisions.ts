/**
 * The subdivisions by country that addresses use: codes of ISO 3166-2 without the country, each with its names in English
 * and in languages of the country (Unicode CLDR 41, Unicode License; iso-codes 4). `|` separates names, `;` subdivisions.
 * Of two with the same name the first is meant: provinces of Spain and Italy before regions.
 */
export const subdivisions: Readonly<Record<string, string>> = {
  US:
    'AK=Alaska;AL=Alabama;AR=Arkansas;AS=American Samoa;AZ=Arizona;CA=California;CO=Colorado;CT=Connecticut;' +
    'DC=Washington DC|District of Columbia;DE=Delaware;FL=Florida;GA=Georgia;GU=Guam;HI=Hawaii|Hawái;IA=Iowa;' +
    'ID=Idaho;IL=Illinois;IN=Indiana;KS=Kansas;KY=Kentucky;LA=Louisiana|Luisiana;MA=Massachusetts;MD=Maryland;' +
    'ME=Maine;MI=Michigan;MN=Minnesota;MO=Missouri|Misuri;MP=Northern Mariana Islands;MS=Mississippi|Misisipi;' +
    'MT=Montana;NC=North Carolina|Carolina del Norte;ND=North Dakota|Dakota del Norte;NE=Nebraska;NH=New Hampshire|' +
    'Nuevo Hampshire;NJ=New Jersey|Nueva Jersey;NM=New Mexico|Nuevo México;NV=Nevada;NY=New York|Nueva York;' +
    'OH=Ohio;OK=Oklahoma;OR=Oregon;PA=Pennsylvania|Pensilvania;PR=Puerto Rico;RI=Rhode Island;SC=South Carolina|' +
    'Carolina del Sur;SD=South Dakota|Dakota del Sur;TN=Tennessee;TX=Texas;UM=U.S. Outlying Islands|United States Minor Outlying Islands;' +
    'UT=Utah;VA=Virginia;VI=U.S. Virgin Islands|Virgin Islands|Virgin Islands, U.S.;VT=Vermont;WA=Washington;' +
    'WI=Wisconsin;WV=West Virginia|Virginia Occidental;WY=Wyoming;AA=Armed Forces Americas;AE=Armed Forces Europe;' +
    'AP=Armed Forces Pacific',
  CA:
    'AB=Alberta;BC=British Columbia|Colombie-Britannique;MB=Manitoba;NB=New Brunswick|Nouveau-Brunswick;NL=Newfoundland and Labrador|' +
    'Terre-Neuve-et-Labrador;NS=Nova Scotia|Nouvelle-Écosse;NT=Northwest Territories|Territoires du Nord-Ouest;' +
    'NU=Nunavut;ON=Ontario;PE=Prince Edward Island|Île-du-Prince-Édouard;QC=Quebec;SK=Saskatchewan;YT=Yukon',
  AU:
    'ACT=Australian Capital Territory;NSW=New South Wales;NT=Northern Territory;QLD=Queensland;SA=South Australia;' +
    'TAS=Tasmania;VIC=Victoria;WA=Western Australia',
  BR:
    'AC=Acre;AL=Alagoas;AM=Amazonas;AP=Amapá;BA=Bahia;CE=Ceará;DF=Federal District|Distrito Federal;ES=Espírito Santo;' +
    'GO=Goiás;MA=Maranhão;MG=Minas Gerais;MS=Mato Grosso do Sul;MT=Mato Grosso;PA=Pará;PB=Paraíba;PE=Pernambuco;' +
    'PI=Piauí;PR=Paraná;RJ=Rio de Janeiro;RN=Rio Grande do Norte;RO=Rondônia;RR=Roraima;RS=Rio Grande do Sul;' +
    'SC=Santa Catarina;SE=Sergipe;SP=São Paulo;TO=Tocantins',
  MX:
    'AGU=Aguascalientes;BCN=Baja California;BCS=Baja California Sur;CAM=Campeche;CHH=Chihuahua;CHP=Chiapas;' +
    'CMX=Ciudad de Mexico|Mexico City|CDMX|Distrito Federal;COA=Coahuila|Coahuila de Zaragoza;COL=Colima;' +
    'DUR=Durango;GRO=Guerrero|Estado de Guerrero;GUA=Guanajuato;HID=Hidalgo|Estado de Hidalgo;JAL=Jalisco;' +
    'MEX=Mexico State|Estado de México|México;MIC=Michoacán|Michoacán de Ocampo;MOR=Morelos;NAY=Nayarit;NLE=Nuevo León;' +
    'OAX=Oaxaca;PUE=Puebla;QUE=Querétaro;ROO=Quintana Roo;SIN=Sinaloa;SLP=San Luis Potosí;SON=Sonora;TAB=Tabasco;' +
    'TAM=Tamaulipas;TLA=Tlaxcala;VER=Veracruz|Veracruz de Ignacio de la Llave;YUC=Yucatán;ZAC=Zacatecas',
  IN:
    'AN=Andaman and Nicobar Islands|अण्डमान और निकोबार द्वीपसमूह;AP=Andhra Pradesh|आन्ध्र प्रदेश;AR=Arunachal Pradesh|' +
    'अरुणाचल प्रदेश;AS=Assam|असम;BR=Bihar|बिहार;CH=Chandigarh|चण्डीगढ़;CG=Chhattisgarh|छत्तीसगढ़|CT;DH=Dādra and Nagar Haveli and Damān and Diu;' +
    'DL=Delhi|दिल्ली;GA=Goa|गोआ;GJ=Gujarat|गुजरात;HP=Himachal Pradesh|हिमाचल प्रदेश;HR=Haryana|हरियाणा;JH=Jharkhand|' +
    'झारखण्ड;JK=Jammu and Kashmir|जम्मू और कश्मीर;KA=Karnataka|कर्नाटक;KL=Kerala|केरल;LA=Ladakh;LD=Lakshadweep|' +
    'लक्षद्वीप;MH=Maharashtra|महाराष्ट्र;ML=Meghalaya|मेघालय;MN=Manipur|मणिपुर;MP=Madhya Pradesh|मध्य प्रदेश;' +
    'MZ=Mizoram|मिज़ोरम;NL=Nagaland|नागालैण्ड;OD=Odisha|ओडिशा|OR;PB=Punjab|पंजाब;PY=Puducherry|पुदुच्चेरी;' +
    'RJ=Rajasthan|राजस्थान;SK=Sikkim|सिक्किम;TS=Telangana|तेलंगाना|TG;TN=Tamil Nadu|तमिल नाडु;TR=Tripura|' +
    'त्रिपुरा;UP=Uttar Pradesh|उत्तर प्रदेश;UK=Uttarakhand|उत्तराखण्ड|UT;WB=West Bengal|पश्चिम बंगाल',
  IT:
    "21=Piedmont|Piemonte|Piemont;23=Aosta Valley|Valle d’Aosta|Aostatal|Val d'Aoste;25=Lombardy|Lombardia|" +
    'Lombardei;32=Trentino-South Tyrol|Trentino-Alto Adige|Trentino-Südtirol;34=Veneto|Venetien;36=Friuli–Venezia Giulia|' +
    'Friaul-Julisch Venetien;42=Liguria|Ligurien;45=Emilia-Romagna;52=Tuscany|Toscana|Toskana;55=Umbria|Umbrien;' +
    '57=Marche|Marken;62=Lazio|Latium;65=Abruzzo|Abruzzen;67=Molise;72=Campania|Kampanien;75=Apulia|Puglia|' +
    'Apulien;77=Basilicata|Basilikata;78=Calabria|Kalabrien;82=Sicily|Regione Siciliana|Autonome Region Sizilien|' +
    'Sicilia;88=Sardinia|Sardegna|Sardinien;AG=Agrigento|provincia di Agrigento|Provinz Agrigent;AL=Alessandria|' +
    'provincia di Alessandria|Provinz Alessandria;AN=Ancona|provincia di Ancona|Provinz Ancona;AP=Ascoli Piceno|' +
    'provincia di Ascoli Piceno|Provinz Ascoli Piceno;AQ=L’Aquila|provincia dell’Aquila|Provinz L’Aquila;' +
    'AR=Arezzo|provincia di Arezzo|Provinz Arezzo;AT=Asti|provincia di Asti|Provinz Asti;AV=Avellino|provincia di Avellino|' +
    'Provinz Avellino;BA=Bari|provincia di Bari|Provinz Bari;BG=Bergamo|provincia di Bergamo|Provinz Bergamo;' +
    'BI=Biella|provincia di Biella|Provinz Biella;BL=Belluno|provincia di Belluno|Provinz Belluno;BN=Benevento|' +
    'provincia di Benevento|Provinz Benevento;BO=Bologna|provincia di Bologna|Provinz Bologna;BR=Brindisi|' +
    'provincia di Brindisi|Provinz Brindisi;BS=Brescia|provincia di Brescia|Provinz Brescia;BT=Barletta-Andria-Trani|' +
    'provincia di Barletta-Andria-Trani|Provinz Barletta-Andria-Trani;BZ=South Tyrol|provincia autonoma di Bolzano|' +
    'Südtirol|Bolzano;CA=Cagliari|provincia di Cagliari|Provinz Cagliari;CB=Campobasso|provincia di Campobasso|' +
    'Provinz Campobasso;CE=Caserta|provincia di Caserta|Provinz Caserta;CH=Chieti|provincia di Chieti|Provinz Chieti;' +
    'CL=Caltanissetta|provincia di Caltanissetta|Provinz Caltanissetta;CN=Cuneo|Provincia di Cuneo|Provinz Cuneo;' +
    'CO=Como|provincia di Como|Provinz Como;CR=Cremona|provincia di Cremona|Provinz Cremona;CS=Cosenza|provincia di Cosenza|' +
    'Provinz Cosenza;CT=Catania|provincia di Catania|Provinz Catania;CZ=Catanzaro|provincia di Catanzaro|' +
    'Provinz Catanzaro;EN=Enna|provincia di Enna|Provinz Enna;FC=Forlì-Cesena|provincia di Forlì-Cesena|Provinz Forlì-Cesena;' +
    'FE=Ferrara|provincia di Ferrara|Provinz Ferrara;FG=Foggia|provincia di Foggia|Provinz Foggia;FI=Florence|' +
    'provincia di Firenze|Provinz Florenz|Firenze;FM=Fermo|provincia di Fermo|Provinz Fermo;FR=Frosinone|' +
    'provincia di Frosinone|Provinz Frosinone;GE=Genoa|città metropolitana di Genova|Metropolitanstadt Genua|' +
    'Genova;GO=Gorizia|provincia di Gorizia|Provinz Görz;GR=Grosseto|provincia di Grosseto|Provinz Grosseto;' +
    'IM=Imperia|provincia di Imperia|Provinz Imperia;IS=Isernia|provincia di Isernia|Provinz Isernia;KR=Crotone|' +
    'provincia di Crotone|Provinz Crotone;LC=Lecco|provincia di Lecco|Provinz Lecco;LE=Lecce|provincia di Lecce|' +
    'Provinz Lecce;LI=Livorno|provincia di Livorno|Provinz Livorno;LO=Lodi|provincia di Lodi|Provinz Lodi;' +
    'LT=Latina|provincia di Latina|Provinz Latina;LU=Lucca|provincia di Lucca|Provinz Lucca;MB=Monza and Brianza|' +
    'provincia di Monza e della Brianza|Provinz Monza und Brianza|Monza e Brianza;MC=Macerata|provincia di Macerata|' +
    'Provinz Macerata;ME=Messina|provincia di Messina|Metropolitanstadt Messina;MI=Milan|provincia di Milano|' +
    'Provinz Mailand|Milano;MN=Mantua|provincia di Mantova|Provinz Mantua|Mantova;MO=Modena|provincia di Modena|' +
    'Provinz Modena;MS=Massa and Carrara|provincia di Massa e Carrara|Provinz Massa-Carrara|Massa-Carrara;' +
    'MT=Matera|provincia di Matera|Provinz Matera;NA=Naples|città metropolitana di Napoli|Metropolitanstadt Neapel|' +
    'Napoli;NO=Novara|provincia di Novara|Provinz Novara;NU=Nuoro|provincia di Nuoro|Provinz Nuoro;OR=Oristano|' +
    'provincia di Oristano|Provinz Oristano;PA=Palermo|provincia di Palermo|Provinz Palermo;PC=Piacenza|provincia di Piacenza|' +
    'Provinz Piacenza;PD=Padua|provincia di Padova|Provinz Padua|Padova;PE=Pescara|provincia di Pescara|Provinz Pescara;' +
    'PG=Perugia|provincia di Perugia|Provinz Perugia;PI=Pisa|provincia di Pisa|Provinz Pisa;PN=Pordenone|' +
    'provincia di Pordenone|Provinz Pordenone;PO=Prato|provincia di Prato|Provinz Prato;PR=Parma|provincia di Parma|' +
    'Provinz Parma;PT=Pistoia|provincia di Pistoia|Provinz Pistoia;PU=Pesaro and Urbino|provincia di Pesaro e Urbino|' +
    'Provinz Pesaro und Urbino|Pesaro e Urbino;PV=Pavia|provincia di Pavia|Provinz Pavia;PZ=Potenza|provincia di Potenza|' +
    'Provinz Potenza;RA=Ravenna|provincia di Ravenna|Provinz Ravenna;RC=Reggio Calabria|provincia di Reggio Calabria|' +
    'Provinz Reggio Calabria;RE=Reggio Emilia|provincia di Reggio nell’Emilia|Provinz Reggio Emilia;RG=Ragusa|' +
    'provincia di Ragusa|Provinz Ragusa;RI=Rieti|provincia di Rieti|Provinz Rieti;RM=Rome|provincia di Roma|' +
    'Provinz Rom|Roma;RN=Rimini|provincia di Rimini|Provinz Rimini;RO=Rovigo|provincia di Rovigo|Provinz Rovigo;' +
    'SA=Salerno|provincia di Salerno|Provinz Salerno;SI=Siena|provincia di Siena|Provinz Siena;SO=Sondrio|' +
    'provincia di Sondrio|Provinz Sondrio;SP=La Spezia|provincia della Spezia|Provinz La Spezia;SR=Syracuse|' +
    'provincia di Siracusa|Provinz Syrakus|Siracusa;SS=Sassari|provincia di Sassari|Provinz Sassari;SU=Sud Sardegna;' +
    'SV=Savona|provincia di Savona|Provinz Savona;TA=Taranto|provincia di Taranto|Provinz Tarent;TE=Teramo|' +
    'provincia di Teramo|Provinz Teramo;TN=Trentino|provincia autonoma di Trento|Trento;TO=Turin|provincia di Torino|' +
    'Provinz Turin|Torino;TP=Trapani|provincia di Trapani|Provinz Trapani;TR=Terni|provincia di Terni|Provinz Terni;' +
    'TS=Trieste|provincia di Trieste|Provinz Triest;TV=Treviso|provincia di Treviso|Provinz Treviso;UD=Udine|' +
    'provincia di Udine|Provinz Udine;VA=Varese|provincia di Varese|Provinz Varese;VB=Verbano-Cusio-Ossola|' +
    'provincia del Verbano-Cusio-Ossola|Provinz Verbano-Cusio-Ossola;VC=Vercelli|provincia di Vercelli|Provinz Vercelli;' +
    'VE=Venice|provincia di Venezia|Provinz Venedig|Venezia;VI=Vicenza|provincia di Vicenza|Provinz Vicenza;' +
    'VR=Verona|provincia di Verona|Provinz Verona;VT=Viterbo|provincia di Viterbo|Provinz Viterbo;VV=Vibo Valentia|' +
    'provincia di Vibo Valentia|Provinz Vibo Valentia',
  ES:
    'A=Alicante|Provincia de Alicante|Alacant;AB=Albacete|Provincia de Albacete;AL=Almería|Provincia de Almería;' +
    'AV=Ávila|Provincia de Ávila;B=Barcelona|Provincia de Barcelona;BA=Badajoz|Provincia de Badajoz;BI=Biscay|' +
    'Vizcaya|Bizkaia;BU=Burgos|Provincia de Burgos;C=A Coruña|Provincia de La Coruña;CA=Cádiz|Provincia de Cádiz;' +
    'CC=Cáceres|Provincia de Cáceres;CO=Córdoba|Provincia de Córdoba;CR=Ciudad Real|Provincia de Ciudad Real;' +
    'CS=Castellón|Provincia de Castellón|Castelló;CU=Cuenca|Provincia de Cuenca;GC=Las Palmas|Provincia de Las Palmas;' +
    'GI=Girona|Provincia de Gerona;GR=Granada|Provincia de Granada;GU=Guadalajara|Provincia de Guadalajara;' +
    'H=Huelva|Provincia de Huelva;HU=Huesca|Provincia de Huesca;J=Jaén|Provincia de Jaén;L=Lleida|Provincia de Lérida;' +
    'LE=León|Provincia de León;LO=La Rioja Province|La Rioja;LU=Lugo|Provincia de Lugo;M=Madrid Province|' +
    'provincia de Madrid|Madrid;MA=Málaga|provincia de Málaga;MU=Murcia|provincia de Murcia;NA=Navarra|Navarra²|' +
    'Nafarroa;O=Asturias Province|provincia de Asturias|Asturias;OR=Ourense|Provincia de Orense;P=Palencia|' +
    'Provincia de Palencia;PM=Balears Province|Islas Baleares²|Illes Balears;PO=Pontevedra|Provincia de Pontevedra;' +
    'S=Cantabria Province|Cantabria²|Cantabria;SA=Salamanca|Provincia de Salamanca;SE=Seville|Provincia de Sevilla|' +
    'Sevilla;SG=Segovia|Provincia de Segovia;SO=Soria|Provincia de Soria;SS=Gipuzkoa|Guipúzcoa;T=Tarragona|' +
    'provincia de Tarragona;TE=Teruel|Provincia de Teruel;TF=Santa Cruz de Tenerife|Provincia de Santa Cruz de Tenerife;' +
    'TO=Toledo|Provincia de Toledo;V=Valencia|Provincia de Valencia;VA=Valladolid|Provincia de Valladolid;' +
    'VI=Álava|Araba;Z=Zaragoza|Provincia de Zaragoza;ZA=Zamora|Provincia de Zamora;AN=Andalusia|Andalucía;' +
    'AR=Aragon;AS=Asturias|Principado de Asturias|Asturias, Principado de;CB=Cantabria;CE=Ceuta;CL=Castile and León|' +
    'Castilla y León;CM=Castile-La Mancha|Castilla-La Mancha;CN=Canary Islands|Canarias;CT=Catalonia|Cataluña|' +
    'Catalunya;EX=Extremadura;GA=Galicia;IB=Balearic Islands|Islas Baleares|Illes Balears;MC=Murcia Region|' +
    'Región de Murcia|Murcia|Murcia, Región de;MD=Madrid Autonomous Community|Comunidad de Madrid|Madrid|' +
    'Madrid, Comunidad de;ML=Melilla;NC=Navarra Chartered Community|Navarra|Nafarroako Foru Komunitatea;PV=Basque Country|' +
    'País Vasco|Euskal Herria;RI=La Rioja|La Rioja²;VC=Valencian Community|Comunidad Valenciana|Valenciana|' +
    'Valenciana, Comunidad',
  JP:
    '01=Hokkaidō|北海道;02=Aomori|青森県|青森;03=Iwate|岩手県|岩手;04=Miyagi|宮城県|宮城;05=Akita|秋田県|秋田;06=Yamagata|山形県|山形;' +
    '07=Fukushima|福島県|福島;08=Ibaraki|茨城県|茨城;09=Tochigi|栃木県|栃木;10=Gunma|群馬県|群馬;11=Saitama|埼玉県|埼玉;12=Chiba|千葉県|' +
    '千葉;13=Tokyo|東京都|東京;14=Kanagawa|神奈川県|神奈川;15=Niigata|新潟県|新潟;16=Toyama|富山県|富山;17=Ishikawa|石川県|石川;18=Fukui|' +
    '福井県|福井;19=Yamanashi|山梨県|山梨;20=Nagano|長野県|長野;21=Gifu|岐阜県|岐阜;22=Shizuoka|静岡県|静岡;23=Aichi|愛知県|愛知;24=Mie|' +
    '三重県|三重;25=Shiga|滋賀県|滋賀;26=Kyōto|京都府|京都;27=Ōsaka|大阪府|大阪;28=Hyōgo|兵庫県|兵庫;29=Nara|奈良県|奈良;30=Wakayama|和歌山県|' +
    '和歌山;31=Tottori|鳥取県|鳥取;32=Shimane|島根県|島根;33=Okayama|岡山県|岡山;34=Hiroshima|広島県|広島;35=Yamaguchi|山口県|山口;36=Tokushima|' +
    '徳島県|徳島;37=Kagawa|香川県|香川;38=Ehime|愛媛県|愛媛;39=Kōchi|高知県|高知;40=Fukuoka|福岡県|福岡;41=Saga|佐賀県|佐賀;42=Nagasaki|' +
    '長崎県|長崎;43=Kumamoto|熊本県|熊本;44=Ōita|大分県|大分;45=Miyazaki|宮崎県|宮崎;46=Kagoshima|鹿児島県|鹿児島;47=Okinawa|沖縄県|沖縄',
  CN:
    'AH=Anhui|安徽省|安徽|Anhui Sheng;BJ=Beijing|北京市|北京|Beijing Shi;CQ=Chongqing|重庆市|重庆|Chongqing Shi;FJ=Fujian|' +
    '福建省|福建|Fujian Sheng;GD=Guangdong|广东省|广东|Guangdong Sheng;GS=Gansu|甘肃省|甘肃|Gansu Sheng;GX=Guangxi|广西壮族自治区|' +
    'Guangxi Zhuangzu Zizhiqu;GZ=Guizhou|贵州省|贵州|Guizhou Sheng;HA=Henan|河南省|河南|Henan Sheng;HB=Hubei|湖北省|湖北|' +
    'Hubei Sheng;HE=Hebei|河北省|河北|Hebei Sheng;HI=Hainan|海南省|海南|Hainan Sheng;HK=Hong Kong|香港|Hong Kong SAR;' +
    'HL=Heilongjiang|黑龙江省|黑龙江|Heilongjiang Sheng;HN=Hunan|湖南省|湖南|Hunan Sheng;JL=Jilin|吉林省|吉林|Jilin Sheng;' +
    'JS=Jiangsu|江苏省|江苏|Jiangsu Sheng;JX=Jiangxi|江西省|江西|Jiangxi Sheng;LN=Liaoning|辽宁省|辽宁|Liaoning Sheng;MO=Macau|' +
    '澳門|Macao SAR;NM=Inner Mongolia|内蒙古自治区|Nei Mongol Zizhiqu;NX=Ningxia|宁夏回族自治区|Ningxia Huizi Zizhiqu;QH=Qinghai|' +
    '青海省|青海|Qinghai Sheng;SC=Sichuan|四川省|四川|Sichuan Sheng;SD=Shandong|山东省|山东|Shandong Sheng;SH=Shanghai|上海市|' +
    '上海|Shanghai Shi;SN=Shaanxi|陕西省|陕西|Shaanxi Sheng;SX=Shanxi|山西省|山西|Shanxi Sheng;TJ=Tianjin|天津市|天津|Tianjin Shi;' +
    'TW=Taiwan|台湾省 (中华人民共和国)|Taiwan Sheng;XJ=Xinjiang|新疆维吾尔自治区|Xinjiang Uygur Zizhiqu;XZ=Tibet|西藏自治区|Xizang Zizhiqu;' +
    'YN=Yunnan|云南省|云南|Yunnan Sheng;ZJ=Zhejiang|浙江省|浙江|Zhejiang Sheng',
  AR:
    'A=Salta|Provincia de Salta;B=Buenos Aires Province|provincia de Buenos Aires|Buenos Aires;C=Ciudad Autónoma de Buenos Aires|' +
    'CABA|Capital Federal|City of Buenos Aires;D=San Luis|Provincia de San Luis;E=Entre Ríos|Provincia de Entre Ríos;' +
    'F=La Rioja|Provincia de La Rioja;G=Santiago del Estero|Provincia de Santiago del Estero;H=Chaco|Provincia del Chaco;' +
    'J=San Juan|Provincia de San Juan;K=Catamarca;L=La Pampa|Provincia de La Pampa;M=Mendoza|Provincia de Mendoza;' +
    'N=Misiones|Provincia de Misiones;P=Formosa|Provincia de Formosa;Q=Neuquén|Provincia de Neuquén;R=Río Negro|' +
    'Provincia de Río Negro;S=Santa Fe|Provincia de Santa Fe;T=Tucumán|Provincia de Tucumán;U=Chubut|Provincia del Chubut;' +
    'V=Tierra del Fuego|Antártida e islas del Atlántico Sur Provincia de Tierra del Fuego|Provincia de Tierra del Fuego|' +
    'Provincia de Tierra del Fuego, Antártida e islas del Atlántico Sur;W=Corrientes|Provincia de Corrientes;' +
    'X=Córdoba|Provincia de Córdoba;Y=Jujuy|Provincia de Jujuy;Z=Santa Cruz|Provincia de Santa Cruz',
  MY:
    '01=Johor;02=Kedah;03=Kelantan;04=Malacca|Melaka;05=Negeri Sembilan;06=Pahang;07=Penang|Pulau Pinang;' +
    '08=Perak|Negeri Perak;09=Perlis;10=Selangor;11=Terengganu;12=Sabah;13=Sarawak;14=Kuala Lumpur|Wilayah Persekutuan Kuala Lumpur;' +
    '15=Labuan|Wilayah Persekutuan Labuan;16=Putrajaya|Wilayah Persekutuan Putrajaya',
  AE:
    'AJ=Ajman|عجمان;AZ=Abu Dhabi|إمارة أبوظبي|Abū Z̧aby|أبوظبي;DU=Dubai|امارة دبي|Dubayy|دبي;FU=Fujairah|' +
    'الفجيرة|Al Fujayrah;RK=Ras al-Khaimah|رأس الخيمة|Ra’s al Khaymah;SH=Sharjah|إمارة الشارقة|Ash Shāriqah|' +
    'الشارقة;UQ=Umm al-Quwain|أم القيوين|Umm al Qaywayn',
  ID:
    'AC=Aceh;BA=Bali;BB=Bangka–Belitung Islands|Kepulauan Bangka Belitung;BE=Bengkulu;BT=Banten;GO=Gorontalo;' +
    'JA=Jambi;JB=West Java|Jawa Barat;JI=East Java|Jawa Timur;JK=Jakarta|Daerah Khusus Ibukota Jakarta|Jakarta Raya|' +
    'DKI Jakarta;JT=Central Java|Jawa Tengah;KB=West Kalimantan|Kalimantan Barat;KI=East Kalimantan|Kalimantan Timur;' +
    'KR=Riau Islands|Kepulauan Riau;KS=South Kalimantan|Kalimantan Selatan;KT=Central Kalimantan|Kalimantan Tengah;' +
    'KU=North Kalimantan|Kalimantan Utara;LA=Lampung;MA=Maluku;MU=North Maluku|Maluku Utara;NB=West Nusa Tenggara|' +
    'Nusa Tenggara Barat;NT=East Nusa Tenggara|Nusa Tenggara Timur;PA=Papua;PB=West Papua|Papua Barat;RI=Riau;' +
    'SA=North Sulawesi|Sulawesi Utara;SB=West Sumatra|Sumatera Barat;SG=Southeast Sulawesi|Sulawesi Tenggara;' +
    'SN=South Sulawesi|Sulawesi Selatan;SR=West Sulawesi|Sulawesi Barat;SS=South Sumatra|Sumatera Selatan;' +
    'ST=Central Sulawesi|Sulawesi Tengah;SU=North Sumatra|Sumatera Utara;YO=Yogyakarta;PD=Southwest Papua|' +
    'Papua Barat Daya;PE=Highland Papua|Papua Pegunungan;PS=South Papua|Papua Selatan;PT=Central Papua|Papua Tengah',
}
