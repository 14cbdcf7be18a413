// ISO 4217 as the enclave has it (`crates/vault/src/pay/currency.rs`), which decides what is signed. A browser's `Intl` can't be used: it
// has currencies no longer in use, lacks new ones, and rounds some as people do. For example, it gives IQD none of its three digits.
const LISTS: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY ' +
      'COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS ' +
      'INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR ' +
      'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP ' +
      'STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** The number of decimal digits of each currency, by its code. */
export const CURRENCIES: ReadonlyMap<string, number> = new Map(
  LISTS.flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, digits] as const)),
)

/** The number of decimal digits of a currency: 2 for GBP, 0 for JPY, 3 for KWD, and 2 for an unknown one. */
export function minorDigits(currency: string): number {
  return CURRENCIES.get(currency) ?? 2
}

/** Whether a text is the code of a currency that the vault signs payments in: three capital letters. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}
