<?php
// Lists the tables of the site's database, the rows of one, or runs a statement. Run by the platform; visitors cannot
// reach it.
$request = json_decode( $_SERVER['NIDO_DATABASE'], true );

define( 'SHORTINIT', true );
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';

const NIDO_VALUE = 500;
$wpdb->suppress_errors();
$is_sqlite = defined( 'DB_ENGINE' ) && 'sqlite' === DB_ENGINE;
$quote     = static fn ( $name ) => '`' . str_replace( '`', '``', $name ) . '`';

/** A value as text: cut if it is long, in hexadecimal if it is not text. */
function nido_show( $value ) {
	if ( null === $value ) {
		return null;
	}
	$value = (string) $value;
	if ( ! mb_check_encoding( $value, 'UTF-8' ) ) {
		return '0x' . bin2hex( substr( $value, 0, NIDO_VALUE / 2 ) ) . ( strlen( $value ) > NIDO_VALUE / 2 ? '…' : '' );
	}
	return mb_strlen( $value ) > NIDO_VALUE ? mb_substr( $value, 0, NIDO_VALUE ) . '…' : $value;
}

/** Up to a number of rows; one more was asked for, to know whether there is one. */
function nido_rows( $rows, $limit ) {
	$shown = array_map( static fn ( $row ) => array_map( 'nido_show', array_values( (array) $row ) ), array_slice( $rows, 0, $limit ) );
	return array(
		'columns'  => $rows ? array_map( static fn ( $name ) => mb_substr( $name, 0, 300 ), array_map( 'strval', array_keys( (array) $rows[0] ) ) ) : array(),
		'rows'     => $shown,
		'has_more' => count( $rows ) > $limit,
	);
}

function nido_problem() {
	global $wpdb;
	return '' === $wpdb->last_error ? array() : array( 'problem' => mb_substr( mb_scrub( nido_plain_text( $wpdb->last_error ) ), 0, 1000 ) );
}

/** The SQLite driver describes its errors in HTML. */
function nido_plain_text( $text ) {
	return trim( preg_replace( '~\s+~', ' ', html_entity_decode( strip_tags( $text ) ) ) );
}

// Only for queries without a limit of their own.
if ( ! $is_sqlite ) {
	$wpdb->query( 'SET SESSION sql_select_limit = ' . ( ( $request['limit'] ?? 1000 ) + 1 ) );
}

if ( isset( $request['sql'] ) ) {
	$count  = $wpdb->query( $request['sql'] );
	$rows   = is_array( $wpdb->last_result ) ? $wpdb->last_result : array();
	$answer = nido_rows( $rows, $request['limit'] ) + nido_problem();
	if ( ! $rows && is_int( $count ) && ! preg_match( '~^\s*\(*\s*(select|show|desc|explain|with)~i', $request['sql'] ) ) {
		$answer['changed'] = $count;
	}
} elseif ( isset( $request['table'] ) ) {
	$limit  = $request['limit'] + 1;
	$rows   = $wpdb->get_results( "SELECT * FROM {$quote( $request['table'] )} ORDER BY 1 LIMIT $limit OFFSET {$request['offset']}" );
	$answer = nido_rows( (array) $rows, $request['limit'] ) + nido_problem();
	if ( ! $rows ) {
		$answer['columns'] = array_map( 'strval', (array) $wpdb->get_col( "SHOW COLUMNS FROM {$quote( $request['table'] )}" ) );
	}
} else {
	$tables = array();
	foreach ( (array) $wpdb->get_results( 'SHOW TABLE STATUS' ) as $table ) {
		$rows     = $is_sqlite ? $wpdb->get_var( "SELECT COUNT(*) FROM {$quote( $table->Name )}" ) : $table->Rows;
		$size     = $is_sqlite ? null : $table->Data_length + $table->Index_length;
		$tables[] = array( 'name' => mb_substr( $table->Name, 0, 200 ), 'rows' => (int) $rows ) + ( null === $size ? array() : array( 'size' => (int) $size ) );
	}
	$answer = array( 'tables' => array_slice( $tables, 0, 1000 ) );
}
echo json_encode( $answer, JSON_INVALID_UTF8_SUBSTITUTE );
