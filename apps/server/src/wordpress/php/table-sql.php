<?php
// Tables as SQL, in pieces, each within a few seconds. Also a part of the plugin that lets another host copy a site, so
// it works with PHP 7.0.

const NIDO_TABLE_BYTES   = 4194304;
const NIDO_TABLE_SECONDS = 8;
const NIDO_TABLE_ROWS    = 100;
/** Before it is known how long they are. */
const NIDO_TABLE_FIRST_ROWS = 5;

/** Some rows of a table as SQL, after those of the pieces before, and where the next ones begin; null if the database does not answer. */
function nido_table_sql( $table, $after ) {
	global $wpdb;
	$create = $wpdb->get_row( "SHOW CREATE TABLE `$table`", ARRAY_N );
	$fields = $wpdb->last_error ? null : $wpdb->get_results( "DESCRIBE `$table`", ARRAY_A );
	if ( ! $create || ! $fields || $wpdb->last_error ) {
		return null;
	}
	if ( 0 !== stripos( $create[1], 'CREATE TABLE' ) ) {
		return array( 'sql' => '', 'next' => '' ); // a view
	}
	$sql     = '' === $after ? "DROP TABLE IF EXISTS `$table`;\n{$create[1]};\n" : '';
	$columns = array();
	$keys    = array();
	$is_int  = true;
	foreach ( $fields as $field ) {
		if ( 'PRI' === $field['Key'] ) {
			$keys[] = $field['Field'];
			$is_int = $is_int && preg_match( '/int/i', $field['Type'] );
		}
		// Values of generated columns are refused.
		if ( ! preg_match( '/\b(VIRTUAL|STORED|PERSISTENT)\b/i', $field['Extra'] ) ) {
			$columns[] = $field;
		}
	}
	// By its key, a row that is added or removed meanwhile moves no others.
	$is_keyed = $keys && $is_int;
	$names    = '`' . implode( '`, `', array_column( $columns, 'Field' ) ) . '`';
	$order    = $keys ? 'ORDER BY `' . implode( '`, `', $keys ) . '`' : '';
	$place    = '' === $after ? array() : explode( ',', $after );
	$until    = microtime( true ) + NIDO_TABLE_SECONDS;
	$limit    = NIDO_TABLE_FIRST_ROWS;
	do {
		$since = $is_keyed && $place ? nido_table_since( $keys, $place ) : '';
		$skip  = ! $is_keyed && $place ? ' OFFSET ' . (int) $place[0] : '';
		$rows  = $wpdb->get_results( "SELECT $names FROM `$table` $since $order LIMIT $limit$skip", ARRAY_A );
		if ( $wpdb->last_error || ! is_array( $rows ) ) {
			return null;
		}
		$is_last = count( $rows ) < $limit;
		if ( $rows ) {
			$values = array();
			foreach ( $rows as $row ) {
				$values[] = '(' . implode( ',', array_map( 'nido_table_value', $row, $columns ) ) . ')';
			}
			$inserted = implode( ",\n", $values );
			$sql     .= "INSERT IGNORE INTO `$table` ($names) VALUES $inserted;\n";
			if ( $is_keyed ) {
				$last  = end( $rows );
				$place = array();
				foreach ( $keys as $key ) {
					$place[] = $last[ $key ];
				}
			} else {
				$place = array( ( $place ? (int) $place[0] : 0 ) + count( $rows ) );
			}
			// Some tables have rows of megabytes.
			$limit = max( 1, min( NIDO_TABLE_ROWS, 2 * $limit, (int) ( NIDO_TABLE_BYTES / 4 * count( $rows ) / strlen( $inserted ) ) ) );
		}
	} while ( ! $is_last && strlen( $sql ) < NIDO_TABLE_BYTES && microtime( true ) < $until );
	return array( 'sql' => $sql, 'next' => $is_last ? '' : implode( ',', $place ) );
}

/** The rows after the given values of a key of whole numbers. */
function nido_table_since( $keys, $values ) {
	$parts = array();
	$equal = '';
	foreach ( $keys as $index => $key ) {
		$value   = isset( $values[ $index ] ) ? (int) $values[ $index ] : 0;
		$parts[] = "($equal`$key` > $value)";
		$equal  .= "`$key` = $value AND ";
	}
	return 'WHERE ' . implode( ' OR ', $parts );
}

function nido_table_value( $value, $column ) {
	if ( null === $value ) {
		return 'NULL';
	}
	if ( '' !== $value && preg_match( '/blob|binary/i', $column['Type'] ) ) {
		return '0x' . bin2hex( $value );
	}
	if ( preg_match( '/^bit/i', $column['Type'] ) ) {
		return (string) (int) $value;
	}
	return "'" . strtr( $value, array( '\\' => '\\\\', "'" => "\\'", "\0" => '\\0', "\n" => '\\n', "\r" => '\\r', "\x1a" => '\\Z' ) ) . "'";
}
